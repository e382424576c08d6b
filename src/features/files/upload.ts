import { file, fileReferences, missingReference } from '../../crm/file.ts'
import { requireStorage } from '../../crm/storage.ts'
import { type ApiResponse, deleted, shown } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import { readParameters } from '../../engine/finding/query/parameters.ts'
import type { Row } from '../../engine/records/definition/change.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import { parseJson } from '../../engine/records/kinds/exact-numbers.ts'
import { readCreate } from '../../engine/records/rows/validate.ts'
import { insert } from '../../engine/records/rows/write.ts'
import { lookupText } from '../../engine/records/select.ts'
import { ApiError, type Detail, validationError } from '../../errors.ts'
import { claim, endClaim, markUnused, useClaim } from './content-names.ts'
import { describeUpload } from './describe.ts'
import { removeErasedBy } from './erase.ts'

/** `POST /api-v1-files`: the body is the file (decision O2). */
export const uploadRoute: Route = {
  method: 'POST',
  path: `/${file.path}`,
  scope: file.scopes.write,
  takesBody: false,
  takesFile(call) {
    readValues(call)
    requireStorage(call.reader, call.caller.limits, call.upload!.declaredBytes ?? 0)
  },
  run: upload,
  describe: describeUpload,
}

/** The content is on disk before the record that refers to it. */
async function upload(call: Call): Promise<ApiResponse> {
  const { workspaceId, limits } = call.caller
  const { mediaType, received } = call.upload!
  const { sha256, bytes, keep } = received!
  const values = readValues(call)
  const claimId = crypto.randomUUID() // callers may give several requests one id
  await call.prepare((tx) => {
    requireStorage(tx, limits, bytes)
    claim(tx, sha256, claimId)
    return deleted
  })
  let isKept = false
  try {
    await keep(workspaceId)
    isKept = true
    return await call.write((tx, caller) => {
      useClaim(tx, sha256, claimId)
      requireStorage(tx, caller.limits, bytes)
      const set = { values: { media_type: mediaType, bytes, sha256 } }
      const { id } = insert(file, tx, { values, items: {} }, caller.limits, set)
      return { ...shown(201, lookupText(file, tx, id)!, file), headers: ['Location', `/${file.path}/${id}`] }
    })
  } catch (error) {
    await forget(call, sha256, claimId, isKept).catch(() => {}) // the sweep removes it
    throw error
  }
}

/**
 * Removes the content of an upload that has failed, unless something else relies on it. What storing it may have left while S3 gave no answer
 * is for the sweep: a removal that is still on its way could take what the next attempt stores.
 */
async function forget(call: Call, sha256: string, claimId: string, isKept: boolean): Promise<void> {
  let isMarked = false
  await call.release((tx) => {
    endClaim(tx, sha256, claimId)
    isMarked = isKept && markUnused(tx, sha256)
  })
  if (isMarked) await removeErasedBy(call)
}

/** The stored values of the fields that the query gives. Throws VALIDATION_ERROR with all that is wrong. */
function readValues({ query, reader }: Call): Row {
  const details: Detail[] = []
  const { metadata, ...given } = Object.fromEntries(
    readParameters(query, ['name', ...fileReferences, 'metadata'], details),
  )
  const body = { ...given, ...(metadata !== undefined && { metadata: readMetadata(metadata, details) }) }
  try {
    const { values } = readCreate(file, reader, body)
    details.push(...missingReference(values))
    if (details.length === 0) return values
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    details.push(...(error.details ?? []))
  }
  throw validationError(details)
}

function readMetadata(text: string, details: Detail[]): unknown {
  try {
    JSON.parse(text) // so that it is one value
    return (parseJson(`{"metadata":${text}}`) as { metadata: unknown }).metadata
  } catch {
    details.push(invalid('metadata', 'metadata must be a JSON object', 'INVALID_FORMAT'))
    return {}
  }
}
