/** For whom rows are read: a user, or nobody in particular (`userId` is null), who sees what the whole team sees. */
export interface Viewer {
  readonly userId: string | null
  /** Whether the user is an owner or admin, who sees held messages. */
  readonly isAdmin: boolean
}

/** The operator, and what the server does by itself. */
export const everything = 'everything'
export type View = Viewer | typeof everything

export const team: Viewer = { userId: null, isAdmin: false }
