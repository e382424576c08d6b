import type { Description } from '../description.ts'
import { probe } from './http.ts'
import { description, type Who, who } from './session.ts'

/** What the page of a signed-in user brings along: the answers of `/console/session` and `/console/description`. */
export interface Given {
  session: Who
  description: Description
}

/** Learns who is signed in, and what the server knows of its records: from the page, or by asking. */
export async function start(): Promise<void> {
  const theme = localStorage.getItem('kontor.theme')
  if (theme) document.documentElement.dataset.theme = theme
  const block = document.getElementById('given')
  if (!block) return enter()
  const given = JSON.parse(block.textContent) as Given
  description.value = given.description
  who.value = given.session
}

/** After a sign-in, too. */
export async function enter(): Promise<void> {
  const [known, described] = await Promise.all([
    probe<Who>('/console/session'),
    probe<Description>('/console/description'),
  ])
  description.value = described
  who.value = known && described ? known : undefined
}
