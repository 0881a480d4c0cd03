/** Whether its provider notifies of changes or could, and whether it is read as a whole. */
export type Kind = { readonly isTold: boolean; readonly wantsChannel: boolean; readonly isFeed: boolean }

export type Synced =
  /** Read: whether anything was new, and what decides how soon it is read again. */
  | ({ readonly outcome: 'changed' | 'unchanged' } & Kind)
  /** Not read: kept with the connection; the sweep asks again when it is due. */
  | { readonly outcome: 'failed' }
  /** Its permission ended. */
  | { readonly outcome: 'skipped' }
  /** It is no longer connected. */
  | { readonly outcome: 'gone' }
