import { defineCommand } from '../turn/command.ts'
import type { TimeFreed } from '../turn/workplace.ts'

export const PASS_ON_FREED_TIME = defineCommand<TimeFreed, void>('pass_on_freed_time')
