import { team, type Viewer } from '../store/visibility.ts'

export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

/** Whose rows a user sees. */
export function viewerOf(userId: string, role: Role): Viewer {
  return { userId, isAdmin: role !== 'member' }
}

/** A key and its user, as stored. */
export interface KeyOwner {
  user_id: string | null
  user_role: Role | null
  /** Whether the user created the key in a session. */
  is_own: 0 | 1
}

/** Whose rows a key sees (decision P7). */
export function viewerOfKey({ user_id, user_role, is_own }: KeyOwner): Viewer {
  return is_own === 1 ? viewerOf(user_id!, user_role!) : team
}
