let awaited: string | undefined

/** Lets the next new card of a deal take the focus; undefined: no card. */
export function awaitCard(dealId: string | undefined): void {
  awaited = dealId
}

/** Whether a new card takes the focus: not from a field that the user has gone to since. */
export function takesFocus(dealId: string): boolean {
  if (awaited !== dealId) return false
  awaited = undefined
  return !document.activeElement?.matches('input')
}
