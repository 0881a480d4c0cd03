import { defineCommand } from '../turn/command.ts'
import type { TimeReleased } from '../turn/workplace.ts'

export const PASS_ON_FREED_TIME = defineCommand<TimeReleased, void>('pass_on_freed_time')
