import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import type { RequestListener, ServerOptions } from 'node:http'
import type { Server } from 'node:https'
import { createSecureContext } from 'node:tls'
import { OperatorError } from '../errors.ts'
import { errorFields, log } from '../lib/log.ts'

const lookEveryMs = 1_000
/** TLS 1.3, and of TLS 1.2 what keeps recorded traffic secret even from whoever gets the certificate's key later. */
const protocol = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
} as const

export interface TlsFiles {
  cert: string
  key: string
}

/** An HTTPS server with these files' certificate, which it takes up anew whenever they change. Throws OperatorError. */
export async function createTlsServer(
  files: TlsFiles,
  options: ServerOptions & { handshakeTimeout: number },
  serve: RequestListener,
): Promise<Server> {
  const { createServer } = await import('node:https')
  const server = createServer({ ...options, ...readPair(files), ...protocol }, serve)
  const renew = () => renewFrom(files, server)
  for (const path of Object.values(files)) watchFile(path, { interval: lookEveryMs, persistent: false }, renew)
  server.once('close', () => {
    for (const path of Object.values(files)) unwatchFile(path, renew)
  })
  return server
}

/** Between the writing of the one file and of the other they do not fit: the former pair stays. */
function renewFrom(files: TlsFiles, server: Server): void {
  try {
    server.setSecureContext({ ...readPair(files), ...protocol })
    log('certificate renewed', { cert: files.cert })
  } catch (error) {
    log('the certificate cannot be renewed', errorFields(error), 'error')
  }
}

function readPair(files: TlsFiles): TlsFiles {
  try {
    const pair = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') }
    createSecureContext(pair)
    return pair
  } catch (error) {
    const message = `Cannot use the certificate ${files.cert} with the key ${files.key}: ${(error as Error).message}.`
    throw new OperatorError(message, { cause: error })
  }
}
