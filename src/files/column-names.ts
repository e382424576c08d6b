/** The names of columns so that each can be chosen: the second `Notes` is `Notes (2)`. */
export function distinctNames(header: readonly string[]): string[] {
  const given = new Set(header)
  const numbers = new Map<string, number>()
  return header.map((name) => {
    let number = (numbers.get(name) ?? 0) + 1
    while (number > 1 && given.has(`${name} (${number})`)) number++
    numbers.set(name, number)
    return number === 1 ? name : `${name} (${number})`
  })
}
