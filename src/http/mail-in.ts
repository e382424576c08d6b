import { hash } from 'node:crypto'
import { readParameters } from '../engine/finding/query/parameters.ts'
import { invalid } from '../engine/records/definition/faults.ts'
import { bodyTooLarge, type Detail, validationError } from '../errors.ts'
import { requireMailType } from '../features/mail/receive-route.ts'
import type { MailSpool } from '../features/mail/spool.ts'
import { testHeader } from '../features/mail/test-token.ts'
import { rawBytesMax } from '../mail/bounds.ts'
import type { Admission } from './admission.ts'
import { hasBody } from './body.ts'
import type { Ctx, Layer } from './exchange.ts'
import { closeUnread } from './linger.ts'
import { mailIn } from './openapi/public-routes.ts'
import { allowLong } from './request-time.ts'
import { send } from './response.ts'
import { dispatch } from './router.ts'
import { announceFile, drainedBytesMax, emptyBody, type Places, partsOf } from './upload.ts'

/** For each address, whether it exists or not. */
const limits = {
  ...{ requests_per_minute: 120, requests_per_day: 10_000 },
  ...{ max_organizations: null, max_contacts: null, max_deals: null, max_storage_bytes: null },
}

const accepted = { status: 202, body: '{"data":{"accepted":true}}' }

interface MailInOptions {
  admission: Admission
  spool: MailSpool
  places: Places
  /** Whether the header of a request proves that `kontor mail test` has sent it. */
  isTest: (token: unknown) => boolean
}

/**
 * `POST /mail/in?address=…`: a raw message from somebody without a key (decision P3). Every address gets the same answer, in the same time:
 * whether it exists shows when the message is delivered, later. Only mail for a company that is not served here is refused.
 */
export function serveMailIn({ admission, spool, places, isTest }: MailInOptions): Layer {
  const admit = (ctx: Ctx) => {
    const headers = [...ctx.state.headers]
    admission.admitAddress(ctx)
    return announceFile(ctx, () => receive(ctx, headers))
  }
  const receive = async (ctx: Ctx, headers: readonly string[]) => {
    const { req, res, state } = ctx
    try {
      const address = readAddress(state.query)
      requireMailType(state.upload!.mediaType)
      state.headers.splice(0, Infinity, ...headers) // the limit of the address is lower
      admission.count(ctx, { keyId: hash('sha256', `mail ${address}`), limits })
      spool.requireHere(address)
      if (!hasBody(ctx)) throw emptyBody()
      if ((state.upload!.declaredBytes ?? 0) > rawBytesMax) throw bodyTooLarge(rawBytesMax)
      places.take(ctx)
      allowLong(req)
      if (isTest(req.headers[testHeader.toLowerCase()])) {
        return send(ctx, { ...accepted, headers: ['Kontor-Outcome', await spool.dryRun(partsOf(ctx), address)] })
      }
      await spool.accept(partsOf(ctx), address)
    } catch (error) {
      if (!req.readableEnded && (state.upload!.declaredBytes ?? Infinity) > drainedBytesMax) closeUnread(req, res)
      req.resume()
      throw error
    }
    return send(ctx, accepted)
  }
  return dispatch(
    [mailIn],
    () => [admit],
    (ctx) => admission.admitAddress(ctx),
  )
}

const addressMax = 320

/** Throws VALIDATION_ERROR. */
function readAddress(query: string): string {
  const details: Detail[] = []
  const address = readParameters(query, ['address'], details).get('address')?.trim().toLowerCase() ?? ''
  if (address === '' || address.length > addressMax) {
    details.push(invalid('address', `address is required, at most ${addressMax} characters`, 'REQUIRED'))
  }
  if (details.length > 0) throw validationError(details)
  return address
}
