import { afterAll, beforeAll } from 'vitest'
import './pages/everywhere.ts'
import './pages/booking.ts'
import { closeStage, openStage } from './pages/stage.ts'

beforeAll(openStage, 180_000)
afterAll(closeStage, 30_000)
