import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { Call, InnerRequest, Route } from '../../engine/api/call/route.ts'
import { routesOf } from '../../engine/api/routes.ts'
import { refuseParameters } from '../../engine/finding/query/parameters.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { exactText, parseJson } from '../../engine/records/kinds/exact-numbers.ts'
import type { JsonObject } from '../../engine/records/rows/validate.ts'
import { idOf } from '../../engine/records/select.ts'
import { ApiError, validationError } from '../../errors.ts'
import { parseExact } from '../../lib/exact-json.ts'
import { startOf } from './changes.ts'
import { describeApply, describeReject } from './describe.ts'
import { proposal } from './proposal.ts'
import { decide, findOpen, type OpenProposal } from './store.ts'
import { type Changes, type ProposedRequest, traceRequest } from './trial.ts'

/** The endpoints of proposals. `resources`: those whose changes the log records. An agent must not decide about its own, whichever keys it has. */
export function proposalRoutes(resources: readonly Resource[]): Route[] {
  const path = `/${proposal.path}/:id`
  const decision = { method: 'POST', scope: 'any', usersOnly: true, bodySize: 'small' } as const
  return [
    ...routesOf(proposal),
    {
      ...decision,
      path: `${path}/apply`,
      takesBody: true,
      bodyOptional: true,
      performs: true,
      run: (call) => apply(resources, call),
      describe: describeApply,
    },
    { ...decision, path: `${path}/reject`, takesBody: false, run: reject, describe: describeReject },
  ]
}

/** Makes the request of a proposal as the user, in one transaction with the decision. */
async function apply(resources: readonly Resource[], call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const userId = call.caller.user!.id
  const { force, fields } = readApply(call.body)
  const id = idOf(proposal, call.params.id!)
  const open = findOpen(call.reader, id)
  const { client, tool } = open
  const request = withFields(open, fields)
  const around: InnerRequest['around'] = (write) => (run) =>
    write((tx, caller) => {
      const make = () => run(tx, caller)
      if (force) make()
      else requireSame(findOpen(tx, id), traceRequest(tx, resources, request, make), fields) // which undoes what was made
      const text = decide(tx, id, 'applied', userId)
      return { status: 200, body: `{"data":${text},"undo":${JSON.stringify({ request_id: tx.origin.requestId })}}` }
    })
  return call.perform({ ...request, cause: { proposal: id, mcp: { client, tool } }, around })
}

/** Throws CONFLICT unless all that was proposed, or these of its fields, still starts from the same values. */
function requireSame(then: OpenProposal, now: Changes, fields: readonly string[] | undefined): void {
  const startNow = fields ? startOf(now.changes, fields) : now.start
  const startThen = fields ? startOf(then.changes, fields) : then.start
  if (startNow === startThen) return
  const message = 'What would change has changed since it was proposed'
  const advice = 'Compare again, then apply with "force": true, or reject'
  throw new ApiError('CONFLICT', message, { details: [invalid('changes', advice)] })
}

/** Of the values that an agent wants to save, only those of these fields. Throws VALIDATION_ERROR. */
function withFields({ tool, request }: OpenProposal, fields: readonly string[] | undefined): ProposedRequest {
  if (!fields) return request
  const { body = {} } = request
  const unknown = fields.find((name) => tool !== 'save_record' || !Object.hasOwn(body, name))
  if (unknown === undefined) return { ...request, body: pick(body, fields) }
  throw validationError([invalid('fields', `The proposal does not set ${unknown}`)])
}

/** These members of a body, with all digits of their numbers. */
function pick(body: JsonObject, names: readonly string[]): JsonObject {
  const given = parseExact(exactText(body)) as JsonObject
  return parseJson(JSON.stringify(Object.fromEntries(names.map((name) => [name, given[name]])))) as JsonObject
}

async function reject(call: Call): Promise<ApiResponse> {
  refuseParameters(call.query)
  const userId = call.caller.user!.id
  const id = idOf(proposal, call.params.id!)
  return call.write((tx) => ({ status: 200, body: `{"data":${decide(tx, id, 'rejected', userId)}}` }))
}

/** Throws VALIDATION_ERROR. */
function readApply(body: JsonObject): { force: boolean; fields: string[] | undefined } {
  const { force = false, fields, ...others } = body
  const details = Object.keys(others).map((name) => invalid(name, `Unknown member "${name}": use force or fields`))
  if (typeof force !== 'boolean') details.push(invalid('force', 'force must be a boolean', 'INVALID_TYPE'))
  const isNames = Array.isArray(fields) && fields.length > 0 && fields.every((name) => typeof name === 'string')
  if (fields !== undefined && !isNames) {
    details.push(invalid('fields', 'fields must be a list of names of fields', 'INVALID_TYPE'))
  }
  if (details.length > 0) throw validationError(details)
  return { force: force === true, fields: fields as string[] | undefined }
}
