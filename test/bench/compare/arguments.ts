const usage = `Usage: npm run bench -- compare <revision> [--long]

Compares the working tree, as it is, with a revision: a commit, a tag, a branch or HEAD~30.
The short form takes two minutes. --long runs four times as many rounds, of servers that have been busy for longer, for narrower ranges.`

export interface Arguments {
  revision: string
  isLong: boolean
}

/** Throws an error whose message says what is wrong and how the command is used. */
export function readArguments(given: readonly string[]): Arguments {
  const unknown = given.find((each) => each.startsWith('-') && each !== '--long')
  if (unknown !== undefined) throw new Error(`compare has no option ${unknown}.\n\n${usage}`)
  const [revision, ...more] = given.filter((each) => each !== '--long')
  if (!revision) throw new Error(`compare needs a revision to compare with.\n\n${usage}`)
  if (more.length > 0) throw new Error(`compare takes one revision, not also ${more.join(', ')}.\n\n${usage}`)
  return { revision, isLong: given.includes('--long') }
}
