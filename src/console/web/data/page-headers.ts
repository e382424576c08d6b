import type { Environment } from '../../../access/company.ts'
import { session } from '../session/session.ts'

/** What each request says about its page: the workspace, and the user, who is not that of the session if somebody else has signed in in another window. */
export function pageHeaders(environment: Environment): Record<string, string> {
  return { 'Kontor-Environment': environment, 'Kontor-User': session.value?.user.id ?? '' }
}
