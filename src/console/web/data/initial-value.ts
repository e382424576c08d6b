import type { DescribedField } from '../../description.ts'
import { session } from '../session/session.ts'

/** What the form of something new has in a field at first; a reference to a user is the one who is signed in, as a `Choice`. */
export function initialValue({ kind, target, default: fallback }: DescribedField): unknown {
  if (kind === 'flag') return fallback === 1
  if (target !== 'user') return fallback ?? null
  const { id, full_name } = session.value!.user
  return { id, label: full_name }
}
