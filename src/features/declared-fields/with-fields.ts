import { grants } from '../../access/scopes.ts'
import { withDetails } from '../../crm/restrictions.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import type { Describe } from '../../engine/records/describe.ts'
import { naming } from '../../engine/records/holders.ts'
import { field } from './field.ts'

/** The effects of declared fields on a route of a resource whose metadata they describe (decision J3). */
export function withFields(resource: Resource, route: Route): Route {
  if (route.method === 'GET' && route.path === `/${resource.path}`) {
    return { ...route, describe: withDetails(route, listDetails) }
  }
  const takesMetadata =
    route.path === `/${resource.path}` ? ['POST', 'PUT'] : ['PATCH', ...(route.path.endsWith('/merge') ? ['POST'] : [])]
  const writes = takesMetadata.includes(route.method)
  return writes ? { ...route, run: namingHolders(route), describe: withTaken(resource, route) } : route
}

const listDetails = `A declared field (\`/${field.path}\`) is a filter and a sort key, too: \`metadata.<key>\` and \`metadata.<key>[<operator>]\`, also within \`filter[…]\`, take what its type compares, and \`sort\` takes \`metadata.<key>\`. While it is being indexed, they get 503 with \`Retry-After\`.`

/** The error about a taken value names the record that holds it, if the caller may read it. */
function namingHolders({ run }: Route): Route['run'] {
  return (call) => {
    const write: Call['write'] = (change) =>
      call.write((tx, caller) =>
        naming(
          (scope) => grants(caller.scopes, scope),
          () => change(tx, caller),
        ),
      )
    return run({ ...call, write })
  }
}

function withTaken({ scopes }: Resource, { describe }: Route): Describe {
  return (doc) => {
    const description = describe(doc)
    const own = description.errors?.ALREADY_EXISTS
    const taken = `Another record has the same value of a declared field that is unique. Its id is in the message for a key with \`${scopes.read}\`.`
    return {
      ...description,
      errors: { ...description.errors, ALREADY_EXISTS: [own, taken].filter(Boolean).join(' ') },
    }
  }
}
