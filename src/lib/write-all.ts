import { writeSync } from 'node:fs'

/**
 * Writes all bytes, at a position of the file or after what was written last. Returns their number. The system may write less than it is asked to: a
 * disk that becomes full takes the first bytes, and refuses the next.
 */
export function writeAll(fd: number, content: Buffer | string, position?: number): number {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let done = 0; done < bytes.length; ) {
    const at = position === undefined ? null : position + done
    done += writeSync(fd, bytes, done, bytes.length - done, at)
  }
  return bytes.length
}
