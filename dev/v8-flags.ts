import childProcess from 'node:child_process'

/**
 * V8's settings for the process of all Workers: garbage is collected on the thread that runs them
 * alone, since waiting for another could be waiting for ever (docs/decisions/0016).
 */
const V8_FLAGS = ['--single-threaded-gc']

/** Runs `start`, which spawns workerd, with V8's settings in the configuration that workerd reads. */
export async function withV8Flags<T>(start: () => Promise<T>, flags = V8_FLAGS): Promise<T> {
  const { spawn } = childProcess
  // Miniflare has no option for them: what it writes to workerd is completed on its way.
  childProcess.spawn = ((...spawned: Parameters<typeof spawn>) => {
    const child = spawn(...spawned)
    if (child.stdin && spawned[1]?.includes('--binary')) {
      const { stdin } = child
      const write = stdin.write.bind(stdin)
      stdin.write = (config: Uint8Array) => write(addV8Flags(config, flags))
    }
    return child
  }) as typeof spawn
  try {
    return await start()
  } finally {
    childProcess.spawn = spawn
  }
}

const WORD = 8

/** Where the pointer to `v8Flags` stands among those of a `Config` in workerd.capnp. */
const V8_FLAGS_POINTER = 2

/**
 * A serialized `Config` of workerd with V8 flags: a segment more at its end, which has the list, and
 * a far pointer to it. https://capnproto.org/encoding.html
 */
function addV8Flags(message: Uint8Array, flags: string[]): Buffer {
  const segments = splitSegments(message)
  const config = findRoot(segments)
  const { view, offset } = config
  view.setUint32(offset + V8_FLAGS_POINTER * WORD, 2, true)
  view.setUint32(offset + V8_FLAGS_POINTER * WORD + 4, segments.length, true)
  return joinSegments([...segments, textList(flags)])
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function splitSegments(message: Uint8Array): Uint8Array[] {
  const bytes = new Uint8Array(message)
  const view = viewOf(bytes)
  const count = view.getUint32(0, true) + 1
  let start = tableSize(count)
  return Array.from({ length: count }, (_, index) => {
    const size = view.getUint32(4 * (index + 1), true) * WORD
    start += size
    return bytes.subarray(start - size, start)
  })
}

/** The bytes of the table of `count` segments: their number and sizes, in whole words. */
const tableSize = (count: number) => Math.ceil((4 * (count + 1)) / WORD) * WORD

function joinSegments(segments: Uint8Array[]): Buffer {
  const table = Buffer.alloc(tableSize(segments.length))
  table.writeUInt32LE(segments.length - 1, 0)
  segments.forEach((segment, index) => {
    table.writeUInt32LE(segment.byteLength / WORD, 4 * (index + 1))
  })
  return Buffer.concat([table, ...segments])
}

/** Where the pointers of the root struct begin. */
function findRoot(segments: Uint8Array[]): { view: DataView; offset: number } {
  let segment = segments[0] ?? new Uint8Array()
  let at = 0
  let [low, high] = pointerAt(segment, at)
  if ((low & 7) === 2) {
    segment = segments[high] ?? new Uint8Array()
    at = (low >>> 3) * WORD
    ;[low, high] = pointerAt(segment, at)
  }
  const [dataWords, pointers] = [high & 0xffff, high >>> 16]
  if ((low & 3) !== 0 || pointers <= V8_FLAGS_POINTER)
    throw new Error('The configuration of workerd does not have the shape that is known')
  return { view: viewOf(segment), offset: at + (1 + (low >> 2) + dataWords) * WORD }
}

function pointerAt(segment: Uint8Array, at: number): [low: number, high: number] {
  const view = viewOf(segment)
  return [view.getUint32(at, true), view.getUint32(at + 4, true)]
}

/** A segment with a list of texts, whose pointer is the first word. */
function textList(texts: string[]): Buffer {
  const bytes = texts.map(text => {
    const size = Math.ceil((Buffer.byteLength(text) + 1) / WORD) * WORD
    const padded = Buffer.alloc(size)
    padded.write(text)
    return padded
  })
  const head = Buffer.alloc((1 + texts.length) * WORD)
  head.writeUInt32LE(1, 0)
  head.writeUInt32LE((texts.length << 3) | 6, 4)
  let target = texts.length
  texts.forEach((text, index) => {
    const at = (1 + index) * WORD
    // Pointers count words from their own end.
    head.writeUInt32LE(((target - index - 1) << 2) | 1, at)
    head.writeUInt32LE(((Buffer.byteLength(text) + 1) << 3) | 2, at + 4)
    target += (bytes[index]?.byteLength ?? 0) / WORD
  })
  return Buffer.concat([head, ...bytes])
}
