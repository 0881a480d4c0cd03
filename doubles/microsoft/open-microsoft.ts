import type { OpenWorld } from '../world.ts'
import { emptyState } from './accounts.ts'
import { answerGraph } from './answer-graph.ts'
import { answerLogin } from './answer-login.ts'
import { control } from './control.ts'
import { addPretendAccounts } from './pretend-accounts.ts'

/**
 * Microsoft's login below `<base>/{tenant}/…` and Microsoft Graph below `<base>/v1.0`. What it speaks, where each of
 * its ways was read, and what a test may set is in `doubles/README.md`.
 */
export const openMicrosoft: OpenWorld = (frame) => {
  const state = emptyState(frame)
  addPretendAccounts(state)
  return {
    answer: (call) =>
      call.path === '/v1.0' || call.path.startsWith('/v1.0/')
        ? answerGraph(state, call)
        : answerLogin(state, call),
    control: (call) => control(state, call),
  }
}
