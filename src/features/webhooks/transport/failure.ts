/** A delivery failed. The message is a sentence for the customer who owns the webhook, so it says nothing about this machine. */
export class Failure extends Error {
  override name = 'Failure'
}

/** Whether a name exists is not said: it may be one of the operator's network. */
export function noAddress(name: string): Failure {
  return new Failure(`${name} has no address that webhooks may be sent to`)
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before a response',
  EPIPE: 'The connection was closed before a response',
  EHOSTUNREACH: 'The address cannot be reached',
  ENETUNREACH: 'The address cannot be reached',
  EADDRNOTAVAIL: 'The address cannot be reached',
  ETIMEDOUT: 'The connection timed out',
  HPE_HEADER_OVERFLOW: 'The headers of the response are too large',
  CERT_HAS_EXPIRED: certificate('it has expired'),
  CERT_NOT_YET_VALID: certificate('it is not valid yet'),
  CERT_REVOKED: certificate('it was revoked'),
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate('it is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: certificate('its issuer is not trusted'),
  UNABLE_TO_GET_ISSUER_CERT: certificate('its issuer is not known'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: certificate('its issuer is not known'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificate('its issuer is not known'),
  ERR_TLS_CERT_ALTNAME_INVALID: certificate('it is for another name'),
}

function certificate(reason: string): string {
  return `The certificate is not valid: ${reason}`
}

/** The sentence about an error of a request, a socket or a resolver. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Failure) return error.message
  const code = codeOf(error)
  if (Object.hasOwn(reasons, code)) return reasons[code]!
  if (code.startsWith('HPE_')) return 'The response is not valid HTTP'
  if (/CERT|ISSUER|^CRL|_CA$/.test(code)) return 'The certificate is not valid'
  if (/^EPROTO$|^ERR_(?:SSL|TLS|OSSL)/.test(code)) return 'The TLS handshake failed'
  return 'The request failed'
}

/** The code of an error; of several, one for each address, that of the last one. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors.at(-1))
  return String((error as { code?: unknown } | undefined)?.code ?? '')
}
