import { session } from './session.ts'
import { forgetInWindow, recall, remember } from './storage.ts'

const prefix = 'kontor.draft.'

/** The unsent input of this user in this window, by its name. It survives a reload. */
export function readDraft<T>(name: string): T | undefined {
  const text = recall(keyOf(name), 'sessionStorage')
  return text === null ? undefined : (JSON.parse(text) as T)
}

/** Stores a draft; undefined removes it. Returns whether the browser has done so: its storage may be full. */
export function saveDraft(name: string, draft: unknown): boolean {
  return remember(keyOf(name), draft === undefined ? undefined : JSON.stringify(draft), 'sessionStorage')
}

/** Deletes all drafts at sign-out, so that the next user of this computer cannot read them. */
export function deleteDrafts(): void {
  forgetInWindow(prefix)
}

function keyOf(name: string): string {
  return `${prefix}${session.value!.user.id}.${name}`
}
