import type { Attempts } from '../access/attempts.ts'
import { findPasswordHash, updateUser } from '../access/user.ts'
import type { ApiResponse } from '../engine/api/call/http-response.ts'
import { ApiError } from '../errors.ts'
import { confirmPassword } from './password.ts'
import { data, type MemberCall, readTexts } from './route.ts'
import { readNames } from './users.ts'

/** Changes the user's own name, or with the password the email, by which the user signs in (decision K15). */
export async function changeAccount(call: MemberCall, attempts: Attempts): Promise<ApiResponse> {
  const { body, write } = call
  const changes = readNames(body)
  const confirmed =
    changes.email === undefined
      ? undefined
      : await confirmPassword(call, attempts, readTexts(body, ['current_password']).current_password)
  const user = await write((tx, { userId }) => {
    if (confirmed !== undefined && findPasswordHash(tx, userId) !== confirmed) {
      throw new ApiError('CONFLICT', 'Your password has changed in the meantime')
    }
    return updateUser(tx, userId, changes)
  })
  return data(user)
}
