import { afterAll, beforeAll } from 'vitest'
import './console/calendar.ts'
import './console/looks.ts'
import './console/overview.ts'
import './console/accounts.ts'
import './console/developers.ts'
import './console/editor.ts'
import './console/hands.ts'
import './console/imports.ts'
import './console/passkeys.ts'
import { closeStage, openStage } from './console/stage.ts'

beforeAll(openStage)
afterAll(closeStage)
