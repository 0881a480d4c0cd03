import { afterAll, beforeAll } from 'vitest'
import './pages/everywhere.ts'
import './pages/emails.ts'
import './pages/questions.ts'
import './pages/requests.ts'
import { closeStage, openStage } from './pages/stage.ts'

beforeAll(openStage)
afterAll(closeStage)
