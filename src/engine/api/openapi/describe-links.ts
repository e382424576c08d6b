import { shortTextMax } from '../../../lib/text.ts'
import type { Link, Resource } from '../../records/definition/resource.ts'
import type { Describer, Description } from '../../records/describe.ts'
import { lower, pascal, withArticle } from './names.ts'

/** The documentation of the endpoints of links (decision T2). */
export function describeLink(
  doc: Describer,
  { resource, name, link }: { resource: Resource; name: string; link: Link },
  method: 'put' | 'delete',
): Description {
  const { target, text, first, max, to, table } = link
  const [owner, other] = [lower(resource.label), lower(target.label)]
  const body = { [text]: 'decision maker' }
  const summary = Object.fromEntries(target.summary.map((field) => [field, doc.exampleRecord(target)[field] ?? null]))
  const record = doc.exampleRecord(resource, method === 'put' ? {} : { [first]: null }, true)
  return {
    id: `${method === 'put' ? 'put' : 'remove'}${pascal(table)}`,
    tag: doc.tag(resource),
    summary:
      method === 'put'
        ? `Add ${withArticle(target.label)} to ${withArticle(resource.label)}, or change the ${text}`
        : `Remove ${withArticle(target.label)} from ${withArticle(resource.label)}`,
    details: `\`${first}\` of the ${owner} names the first one of its ${name}: setting it adds that ${other}, and removing that ${other} clears it.`,
    conditional: true,
    ...(method === 'put' && {
      body: doc.schema(`${pascal(table)}Put`, () => ({
        type: 'object',
        properties: { [text]: { type: ['string', 'null'], maxLength: shortTextMax } },
      })),
      errors: { CONFLICT: `The ${owner} has ${max} ${name}.` },
    }),
    response: doc.shown(resource, `The ${owner} with its ${name}.`),
    example: {
      params: { id: doc.exampleId(resource.name), [to]: doc.exampleId(target.name) },
      ...(method === 'put' && { body }),
      response: { data: { ...record, [name]: method === 'put' ? [{ ...summary, ...body }] : [] } },
    },
  }
}
