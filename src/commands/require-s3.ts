import type { Contents } from '../content/contents.ts'
import { S3Refused, type S3Setting } from '../content/s3-requests.ts'
import { OperatorError } from '../errors.ts'
import { errorFields, log } from '../lib/log.ts'

/** Throws OperatorError if S3 refuses to list the content. If S3 cannot be reached, uploads wait until it can: that is only a warning. */
export async function requireS3(contents: Contents, { endpoint, bucket }: S3Setting): Promise<void> {
  try {
    for await (const _ of contents.list()) break
  } catch (error) {
    const { cause } = error as Error
    if (cause instanceof S3Refused && cause.status < 500) {
      throw new OperatorError(`The bucket ${bucket} at ${endpoint} cannot be used: ${cause.message}.`)
    }
    log('the content of files cannot be reached', { endpoint, bucket, ...errorFields(cause) }, 'warn')
  }
}
