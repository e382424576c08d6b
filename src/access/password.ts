import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { validationError } from '../errors.ts'
import { isWithin } from '../lib/text.ts'
import { type HashClient, HashQueue } from './hash-queue.ts'

// OWASP's parameters for scrypt.
const cost = 2 ** 17
const blockSize = 8
const parallelization = 1
const hashBytes = 32
const saltBytes = 16

const passwordLengthMin = 10
const passwordLengthMax = 200

const queue = new HashQueue()
const operator: HashClient = { address: '', isKnown: true }

interface HashOptions {
  /** The field that errors name. */
  field?: string
  /** A hash whose salt is used, if it has the current parameters; default: a new salt. */
  like?: string | undefined
  /** Default: the operator. */
  client?: HashClient
}

/** `scrypt$N$r$p$salt$hash`, salt and hash in base64url. Takes about 200 ms in another thread. Throws VALIDATION_ERROR, SERVICE_UNAVAILABLE. */
export function hashPassword(password: string, options: HashOptions = {}): Promise<string> {
  const { field = 'password', like, client = operator } = options
  requireLength(password, field)
  return derive(password, like !== undefined && isCurrent(recipeOf(like)) ? recipeOf(like) : newRecipe(), client)
}

/** Whether a text is a hash with the current parameters and a salt of its own. */
export function isStoredHash(text: string): boolean {
  return isCurrent(text) && /^[\w-]{22}\$[\w-]{43}$/.test(text.slice(parameters.length))
}

/** False if the text is longer than any password can be. */
export function isPossiblePassword(password: string): boolean {
  return isWithin(password, passwordLengthMax)
}

/** Whether the password matches the hash. Throws SERVICE_UNAVAILABLE. */
export async function isPassword(password: string, hashed: string, client: HashClient): Promise<boolean> {
  const { isMatch } = await hashAlike(password, [hashed], client)
  return isMatch(hashed)
}

interface HashedAlike {
  isMatch(hashed: string): boolean
  /** The password's hash, with the salt of a hash that has the current parameters, if there is one. */
  hashed: string
}

/**
 * Hashes a password once for each salt among these hashes, or once if there are none. Users with the same address share a salt, so the time does
 * not reveal how many there are. Throws SERVICE_UNAVAILABLE.
 */
export async function hashAlike(password: string, hashes: readonly string[], client: HashClient): Promise<HashedAlike> {
  const recipes = hashes.length > 0 ? [...new Set(hashes.map(recipeOf))] : [newRecipe()]
  const derived: string[] = []
  for (const recipe of recipes) derived.push(await derive(password, recipe, client))
  return {
    isMatch: (hashed) => derived.some((each) => isEqual(each, hashed)),
    hashed: derived[Math.max(0, recipes.findIndex(isCurrent))]!,
  }
}

function requireLength(password: string, field: string): void {
  if (password.length >= passwordLengthMin && isPossiblePassword(password)) return
  const message = `Password must have ${passwordLengthMin} to ${passwordLengthMax} characters`
  throw validationError([{ field, message, code: 'OUT_OF_RANGE' }])
}

const parameters = ['scrypt', cost, blockSize, parallelization, ''].join('$')

function newRecipe(): string {
  return `${parameters}${randomBytes(saltBytes).toString('base64url')}`
}

function isCurrent(recipe: string): boolean {
  return recipe.startsWith(parameters)
}

/** `scrypt$N$r$p$salt` */
function recipeOf(hashed: string): string {
  return hashed.slice(0, hashed.lastIndexOf('$'))
}

async function derive(password: string, recipe: string, client: HashClient): Promise<string> {
  const [, N, r, p, salt = ''] = recipe.split('$')
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: 256 * Number(N) * Number(r) }
  const hash = await queue.run(
    client,
    () =>
      new Promise<Buffer>((resolve, reject) => {
        const done = (error: Error | null, hash: Buffer) => (error ? reject(error) : resolve(hash))
        scrypt(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), hashBytes, options, done)
      }),
  )
  return `${recipe}$${hash.toString('base64url')}`
}

function isEqual(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
