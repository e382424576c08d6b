import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** The cost of the product, and what it is replaced with: 0.4 s of a core for each password become 3 ms. */
const [productCost, testCost] = [2 ** 17, 2 ** 10]

const { scrypt } = crypto

interface Costs {
  N: number
}

/** Makes hashing cheap in this process. A stored hash still names the product's cost; programs that tests start hash at full cost. */
crypto.scrypt = ((password: string, salt: Buffer, length: number, options: Costs, done: () => void) => {
  const N = options.N === productCost ? testCost : options.N
  scrypt(password, salt, length, { ...options, N }, done)
}) as typeof scrypt
syncBuiltinESMExports()
