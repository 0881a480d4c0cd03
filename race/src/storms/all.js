import { approvals } from './approvals.js'
import { cancelAndBook } from './cancel-and-book.js'
import { caps } from './caps.js'
import { holdDeadlines } from './hold-deadlines.js'
import { killAndRestart } from './kill-and-restart.js'
import { lostAnswers } from './lost-answers.js'
import { moveAndBook } from './move-and-book.js'
import { offeredStarts } from './offered-starts.js'
import { oneStart } from './one-start.js'
import { overlappingLengths } from './overlapping-lengths.js'
import { seats } from './seats.js'
import { sharedHost } from './shared-host.js'

/** In the order of the table. */
export const STORMS = [
  oneStart,
  overlappingLengths,
  sharedHost,
  seats,
  caps,
  holdDeadlines,
  approvals,
  cancelAndBook,
  moveAndBook,
  lostAnswers,
  killAndRestart,
  offeredStarts,
]
