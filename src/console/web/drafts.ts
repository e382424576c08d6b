import { who } from './session.ts'

const prefix = 'kontor.draft.'

/** What was typed under this name and not sent yet, by this user in this window; it survives a reload. */
export function readDraft<T>(name: string): T | undefined {
  const text = sessionStorage.getItem(keyOf(name))
  return text === null ? undefined : (JSON.parse(text) as T)
}

/** Undefined: there is nothing to keep any more. */
export function keepDraft(name: string, draft: unknown): void {
  if (draft === undefined) sessionStorage.removeItem(keyOf(name))
  else sessionStorage.setItem(keyOf(name), JSON.stringify(draft))
}

/** On a sign-out: the next user of this computer must not read them. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}

function keyOf(name: string): string {
  return `${prefix}${who.value!.user.id}.${name}`
}
