import { afterAll, beforeAll } from 'vitest'
import './pages/booking.ts'
import './pages/conditions.ts'
import './pages/embedded.ts'
import './pages/hosts.ts'
import { closeStage, openStage } from './pages/stage.ts'

beforeAll(openStage)
afterAll(closeStage)
