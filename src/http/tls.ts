import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import type { RequestListener, ServerOptions } from 'node:http'
import { createServer, type Server } from 'node:https'
import { createSecureContext } from 'node:tls'
import { OperatorError } from '../errors.ts'
import { errorFields, log } from '../lib/log.ts'

const checkEveryMs = 1_000
/** TLS 1.3, and the TLS 1.2 ciphers with forward secrecy. */
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

interface TlsFiles {
  cert: string
  key: string
}

type TlsOptions = TlsFiles & typeof protocol

/** Creates an HTTPS server with the certificate of these files. It reloads them when they change. Throws OperatorError. */
export function createTlsServer(
  files: TlsFiles,
  options: ServerOptions & { handshakeTimeout: number },
  serve: RequestListener,
): Server {
  const certificate = watchCertificate(files, (renewed) => server.setSecureContext(renewed))
  const server = createServer({ ...options, ...certificate.options }, serve)
  server.once('close', certificate.stop)
  return server
}

/** Reads the certificate of these files, and calls `renew` with each later one. Throws OperatorError. */
export function watchCertificate(
  files: TlsFiles,
  renew: (renewed: TlsOptions) => void,
): { options: TlsOptions; stop(): void } {
  const options = { ...readPair(files), ...protocol }
  const changed = () => renewFrom(files, renew)
  for (const path of Object.values(files)) watchFile(path, { interval: checkEveryMs, persistent: false }, changed)
  return {
    options,
    stop() {
      for (const path of Object.values(files)) unwatchFile(path, changed)
    },
  }
}

/** Keeps the old certificate while only one of the two files has been replaced. */
function renewFrom(files: TlsFiles, renew: (renewed: TlsOptions) => void): void {
  try {
    renew({ ...readPair(files), ...protocol })
    log('certificate reloaded', { cert: files.cert })
  } catch (error) {
    log('the certificate could not be reloaded', errorFields(error), 'error')
  }
}

function readPair(files: TlsFiles): TlsFiles {
  try {
    const pair = { cert: readText(files.cert), key: readText(files.key) }
    createSecureContext(pair)
    return pair
  } catch (error) {
    const message = `Cannot use the certificate ${files.cert} with the key ${files.key}: ${(error as Error).message}.`
    throw new OperatorError(message, { cause: error })
  }
}

/** Throws Error for an empty file, as one that is just being written is: Node would take it for none, and then no handshake succeeds. */
function readText(path: string): string {
  const text = readFileSync(path, 'utf8')
  if (text === '') throw new Error(`${path} is empty`)
  return text
}
