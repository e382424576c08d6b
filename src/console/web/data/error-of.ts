import { ApiError, type Detail, type ErrorCode } from '../../../errors.ts'
import { serverText } from '../text/server-texts.ts'
import { t } from '../text/texts.ts'

/** What proxies return while they cannot reach the server. */
const ofProxies = [502, 503, 504]

/** The error that a response of the server tells. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text()
  try {
    const { code, message, details } = JSON.parse(text).error as {
      code: ErrorCode
      message: string
      details?: Detail[]
    }
    // A form was changed after its first response was lost.
    if (message === 'This Idempotency-Key was used for another request') {
      const saved = t(
        'This was saved when you sent it first, as it was then. Close the form, and change what was saved.',
      )
      return new ApiError('CONFLICT', saved, { status: response.status })
    }
    const shown = details?.map((detail) => ({ ...detail, message: serverText(detail.message) }))
    return new ApiError(code, serverText(message), { status: response.status, ...(shown && { details: shown }) })
  } catch {
    return new ApiError(
      ofProxies.includes(response.status) ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR',
      t('The server returned {status} without an error message.', { status: response.status }),
    )
  }
}
