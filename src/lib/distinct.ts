/** The distinct values, in an order of their own. */
export function distinct<T>(values: readonly T[]): T[] {
  const byText = new Map(values.map((value) => [JSON.stringify(value), value]))
  return [...byText.keys()].sort().map((text) => byText.get(text)!)
}
