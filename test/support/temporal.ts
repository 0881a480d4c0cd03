import { Temporal as Polyfill } from '@js-temporal/polyfill'

// The runtime of the Worker has Temporal, Node 24 does not.
Object.assign(globalThis, { Temporal: Polyfill })
