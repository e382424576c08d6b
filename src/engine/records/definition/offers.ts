/** What else there is for the records that people work with. */
export interface Offers {
  /** Members of their metadata can be declared (decision J3). Default: if they have metadata. */
  readonly fields: boolean
  /** Their lists can be saved as views (decision J7). */
  readonly views: boolean
  /** Webhooks can deliver their changes (decision H1). */
  readonly events: boolean
  /** They can be imported in bulk (decision D6). */
  readonly imports: boolean
  /** What agents may do with them. */
  readonly agents: 'write' | 'read' | 'none'
}
