import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export interface TlsFiles {
  tlsCert: string
  tlsKey: string
}

const ellipticKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']

/** Creates a self-signed certificate for `name` and its key. `key` and `subject` are openssl's options for the key and the subject. */
export function newCertificate(
  directory: string,
  name: string,
  { key = ellipticKey, subject = ['-subj', `/CN=${name}`] } = {},
): TlsFiles {
  const [tlsKey, tlsCert] = ['key', 'cert'].map((kind) => join(directory, `${name}.${kind}.pem`)) as [string, string]
  const options = [...key, '-nodes', '-days', '1', ...subject]
  execFileSync('openssl', ['req', '-x509', ...options, '-keyout', tlsKey, '-out', tlsCert], { stdio: 'pipe' })
  return { tlsCert, tlsKey }
}
