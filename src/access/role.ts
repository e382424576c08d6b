import type { Viewer } from '../store/visibility.ts'

export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

/** Whose rows a user sees. */
export function viewerOf(userId: string, role: Role): Viewer {
  return { userId, isAdmin: role !== 'member' }
}
