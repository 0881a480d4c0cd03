import { afterAll, beforeAll } from 'vitest'
import './owner/going-live.ts'
import './owner/full-week.ts'
import './owner/colleague.ts'
import './owner/used-up.ts'
import { closeStage, openStage } from './owner/stage.ts'

beforeAll(openStage)
afterAll(closeStage)
