import * as v from 'valibot'
import { parseServerUrl } from './web-url.ts'

/** A bucket, and the beginning of the names in it: empty, or with a slash at its end. */
interface S3Place {
  readonly bucket: string
  readonly prefix: string
}

const placeForm = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*))?\/?$/
const placeExpected =
  'must be like s3://bucket/prefix, with a prefix of letters, digits, ".", "_" and "-" between slashes'

/** `s3://bucket/prefix`; undefined if empty. */
export const s3Place = v.pipe(
  v.string(),
  v.trim(),
  v.check((value) => value === '' || readPlace(value) !== undefined, placeExpected),
  v.transform((value) => (value === '' ? undefined : readPlace(value))),
)

function readPlace(text: string): S3Place | undefined {
  const [, bucket, path = ''] = placeForm.exec(text) ?? []
  if (bucket === undefined || path.length > 200 || path.split('/').some((part) => /^\.{1,2}$/.test(part)))
    return undefined
  return { bucket, prefix: path && `${path}/` }
}

/** The address of an S3 server, which has no path; undefined if empty. */
export const s3Endpoint = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (value) => value === '' || parseServerUrl(value)?.pathname === '/',
    'must be an http or https URL without a path, such as http://10.0.0.5:3900',
  ),
  v.transform((value) => (value === '' ? undefined : value)),
)
