import { afterAll, beforeAll } from 'vitest'
import './pages/booking.ts'
import './pages/conditions.ts'
import './pages/embedded.ts'
import { closeStage, openStage } from './pages/stage.ts'

beforeAll(openStage, 180_000)
afterAll(closeStage, 30_000)
