import { session } from './session.ts'

const prefix = 'kontor.draft.'

/** The unsent input of this user in this window, by its name. It survives a reload. */
export function readDraft<T>(name: string): T | undefined {
  const text = sessionStorage.getItem(keyOf(name))
  return text === null ? undefined : (JSON.parse(text) as T)
}

/** Stores a draft; undefined removes it. */
export function saveDraft(name: string, draft: unknown): void {
  if (draft === undefined) sessionStorage.removeItem(keyOf(name))
  else sessionStorage.setItem(keyOf(name), JSON.stringify(draft))
}

/** Deletes all drafts at sign-out, so that the next user of this computer cannot read them. */
export function deleteDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}

function keyOf(name: string): string {
  return `${prefix}${session.value!.user.id}.${name}`
}
