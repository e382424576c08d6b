import type { Description } from '../description.ts'
import { probe } from './http.ts'
import { description, type Who, who } from './session.ts'

/** Learns who is signed in, and what the server knows of its records. */
export async function start(): Promise<void> {
  const theme = localStorage.getItem('kontor.theme')
  if (theme) document.documentElement.dataset.theme = theme
  await enter()
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
