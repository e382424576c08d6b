import type { Found } from './contents.ts'
import { type S3Requests, tag, textOf } from './s3-requests.ts'

const pageBytesMax = 4 * 2 ** 20
const content = /^([1-9]\d{0,15})\/([0-9a-f]{2})\/(\2[0-9a-f]{62})$/

/** The content below a prefix. Other objects there are left out. */
export async function* listContent(requests: S3Requests, prefix: string): AsyncIterable<Found> {
  for (let token: string | undefined = ''; token !== undefined; ) {
    const query = { 'list-type': '2', prefix, ...(token !== '' && { 'continuation-token': token }) }
    const page = await textOf(await requests.send({ method: 'GET', key: '', query }), pageBytesMax)
    for (const [object] of page.matchAll(/<Contents>.*?<\/Contents>/gs)) {
      const found = contentOf(object, prefix)
      if (found) yield found
    }
    const next = tag(page, 'IsTruncated') === 'true' ? tag(page, 'NextContinuationToken') : undefined
    if (next === token) throw new Error('S3 lists the same page again')
    token = next
  }
}

function contentOf(object: string, prefix: string): Found | undefined {
  const [key = '', bytes, stored = ''] = ['Key', 'Size', 'LastModified'].map((name) => tag(object, name))
  const [, workspace, , sha256] = (key.startsWith(prefix) && content.exec(key.slice(prefix.length))) || []
  const storedMs = Date.parse(stored)
  if (sha256 === undefined || Number.isNaN(storedMs)) return undefined
  return { workspaceId: Number(workspace), sha256, bytes: Number(bytes), storedMs }
}
