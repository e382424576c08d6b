/** A POST that is processed once, however often it is sent: its `Idempotency-Key`, which is also the id of each request that sends it. */
export type Once = string

/** A UUIDv7. `crypto.randomUUID` needs HTTPS. */
export function newOnce(): Once {
  const random = [...crypto.getRandomValues(new Uint8Array(10))].map((byte) => byte.toString(16).padStart(2, '0'))
  const digits = Date.now().toString(16).padStart(12, '0') + random.join('')
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-7$3-8$4-$5')
}

/** The keys of POSTs without a form whose outcome is not known, by what was sent; the newest last. */
const unanswered = new Map<string, Once>()
const unansweredMax = 10

/** The key of a POST that belongs to no form: the same one if its last response was lost. */
export function onceFor(sent: string): Once {
  return unanswered.get(sent) ?? newOnce()
}

export function noteLost(sent: string, once: Once): void {
  unanswered.delete(sent)
  unanswered.set(sent, once)
  if (unanswered.size > unansweredMax) unanswered.delete(unanswered.keys().next().value!)
}

export function noteAnswered(sent: string): void {
  unanswered.delete(sent)
}
