import type { Description } from '../../description.ts'
import { description, type SessionData, session } from '../session/session.ts'
import { inWords } from '../text/field-labels.ts'
import { language } from '../text/locale.ts'
import { noteSeen } from './fetch-server.ts'
import { keepKnown } from './first-reads.ts'
import { probe } from './http.ts'

/** The data that a signed-in user's page contains: that of `/console/session` and `/console/description`, and what it reads first. */
interface InitialData {
  session: SessionData
  description: Description
  /** The bodies of responses, by the paths of their requests. */
  reads: Record<string, unknown>
  /** The position of the log that this is of, if the server has one. */
  position?: number
}

/** Loads the session and the description, from the page or by requests. */
export async function start(): Promise<void> {
  document.documentElement.lang = language
  const block = document.getElementById('initial-data')
  if (!block) return enter()
  const initial = JSON.parse(block.textContent) as InitialData
  noteSeen(initial.position)
  keepKnown(initial.reads)
  description.value = inWords(initial.description)
  session.value = initial.session
}

/** Requests the description again after a field was declared or changed. Without an answer, the old one stays. */
export async function refreshDescription(): Promise<void> {
  const described = await probe<Description>('/console/description').catch(() => undefined)
  if (described) description.value = inWords(described)
}

/** Requests the session again: somebody else may have changed the user or the role. Without an answer, the old session stays. */
export async function refreshSession(): Promise<void> {
  const before = session.value
  const known = await probe<SessionData>('/console/session').catch(() => undefined)
  if (!known || JSON.stringify(known) === JSON.stringify(before)) return
  if (known.user.role !== before?.user.role) await refreshDescription()
  if (session.value === before) session.value = known
}

/** Requests the session and the description, at the start and after a sign-in. */
export async function enter(): Promise<void> {
  session.value = undefined // a link signs in somebody else than the user who was here, whom the server would not find
  const [known, described] = await Promise.all([
    probe<SessionData>('/console/session'),
    probe<Description>('/console/description'),
  ])
  description.value = described && inWords(described)
  session.value = known && described ? known : undefined
}
