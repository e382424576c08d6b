import type { Environment } from '../../../access/company.ts'
import { environmentOf } from '../session/place.ts'

/** A POST that is processed once, however often it is sent: its `Idempotency-Key`, which is also the id of each request that sends it. */
export type Once = string

/** A UUIDv7. `crypto.randomUUID` needs HTTPS. `place`: the workspace of all that has it. */
export function newOnce(place = placeOf()): Once {
  const hex = (value: number, length: number) => value.toString(16).padStart(length, '0')
  const random = [...crypto.getRandomValues(new Uint8Array(10))].map((byte) => hex(byte, 2))
  const once = [hex(Date.now(), 12), ...random].join('').replace(/(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-7$3-8$4-')
  keep(places, once, place, placesMax)
  return once
}

/** The workspaces of the pages on which this window's latest keys were made; the one that was used last comes last. */
const places = new Map<Once, Environment>()
const placesMax = 200

/** The workspace of all that has a key, or one that begins with it: the user may be in the other one by now. Default: that of the page. */
export function placeOf(once = ''): Environment {
  const key = keyIn(once)
  const place = places.get(key) ?? environmentOf(location.pathname)
  if (key) keep(places, key, place, placesMax)
  return place
}

/** Whether a request is one of this window's latest writes. The log can report a change before its response arrives. */
export function isOwnWrite(requestId: string | null): boolean {
  return requestId !== null && places.has(keyIn(requestId))
}

/** `<key>.email` belongs to the key. */
function keyIn(id: string): Once {
  return id.slice(0, 36)
}

/** The keys of POSTs without a form whose outcome is not known, by what was sent; the newest last. */
const unanswered = new Map<string, Once>()
const unansweredMax = 10

/** The key of a POST that belongs to no form: the same one if its last response was lost. */
export function onceFor(sent: string): Once {
  return unanswered.get(sent) ?? newOnce()
}

export function noteLost(sent: string, once: Once): void {
  keep(unanswered, sent, once, unansweredMax)
}

export function noteAnswered(sent: string): void {
  unanswered.delete(sent)
}

/** Sets an entry as the newest one, and forgets the oldest of too many. */
function keep<V>(entries: Map<string, V>, name: string, value: V, most: number): void {
  entries.delete(name)
  entries.set(name, value)
  if (entries.size > most) entries.delete(entries.keys().next().value!)
}
