import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { ApiError, validationError } from '../errors.ts'
import { isWithin } from '../lib/text.ts'

// OWASP's parameters for scrypt.
const cost = 2 ** 17
const blockSize = 8
const parallelization = 1
const hashBytes = 32
const saltBytes = 16

export const passwordLengthMin = 10
export const passwordLengthMax = 200

/** Each takes 128 MiB while it runs. */
const concurrentMax = 2
const waitingMax = 50

let running = 0
const waiting: (() => void)[] = []

/** `scrypt$N$r$p$salt$hash`, salt and hash in base64url. Takes about 200 ms of another thread on purpose. Throws VALIDATION_ERROR. */
export async function hashPassword(password: string, field = 'password'): Promise<string> {
  requireLength(password, field)
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, { N: cost, r: blockSize, p: parallelization })
  return ['scrypt', cost, blockSize, parallelization, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Whether the password is the hashed one. It takes as long where there is none (null), and answers false. */
export async function isPassword(password: string, hashed: string | null): Promise<boolean> {
  if (!isWithin(password, passwordLengthMax)) return false
  const [, N, r, p, salt = '', hash = ''] = (hashed ?? `scrypt$${cost}$${blockSize}$${parallelization}$$`).split('$')
  const derived = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  const expected = Buffer.from(hash, 'base64url')
  return expected.length === derived.length && timingSafeEqual(expected, derived)
}

function requireLength(password: string, field: string): void {
  if (password.length >= passwordLengthMin && isWithin(password, passwordLengthMax)) return
  const message = `Password must have ${passwordLengthMin} to ${passwordLengthMax} characters`
  throw validationError([{ field, message, code: 'OUT_OF_RANGE' }])
}

/** In the thread pool, a few at a time; the others wait their turn. Throws SERVICE_UNAVAILABLE where too many do. */
async function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  await enter()
  const maxmem = 256 * Number(options.N) * Number(options.r)
  try {
    return await new Promise((resolve, reject) => {
      scrypt(password.normalize('NFKC'), salt, hashBytes, { ...options, maxmem }, (error, hash) =>
        error ? reject(error) : resolve(hash),
      )
    })
  } finally {
    leave()
  }
}

async function enter(): Promise<void> {
  if (running < concurrentMax) {
    running++
    return
  }
  if (waiting.length >= waitingMax) {
    throw new ApiError('SERVICE_UNAVAILABLE', 'Too many sign-ins at once', { headers: { 'Retry-After': '5' } })
  }
  await new Promise<void>((resolve) => waiting.push(resolve))
}

/** Hands its place to the one that has waited longest. */
function leave(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}
