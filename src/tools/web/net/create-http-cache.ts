import { cacheStores, type Dispatcher, interceptors } from "undici";

const MAX_CACHE_BYTES = 64 * 1024 * 1024;

/**
 * An HTTP cache as a browser keeps it: only what the response's own headers allow, revalidated by ETag when it is
 * stale. `ttlMs` shortens what a server permits, it never lengthens it.
 */
export function createHttpCache(options: {
	readonly maxEntries: number;
	readonly maxEntryBytes: number;
	readonly ttlMs: number;
}): Dispatcher.DispatcherComposeInterceptor {
	const store = new cacheStores.MemoryCacheStore({
		maxCount: options.maxEntries,
		maxSize: MAX_CACHE_BYTES,
		maxEntrySize: options.maxEntryBytes,
	});
	const write = store.createWriteStream.bind(store);
	store.createWriteStream = (key, value) => {
		// `deleteAt` stays: a stale entry is still worth a conditional request.
		return write(key, { ...value, staleAt: Math.min(value.staleAt, value.cachedAt + options.ttlMs) });
	};
	return interceptors.cache({ store, methods: ["GET"], type: "private" });
}
