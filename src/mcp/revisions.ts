import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'

/** It has no handshake: every request says in `_meta` which revision it uses. */
export const NEWEST = '2026-07-28'

/** Revisions that begin with `initialize`, newest first. */
export const EARLIER: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS

export const REVISIONS: readonly string[] = [NEWEST, ...EARLIER]
