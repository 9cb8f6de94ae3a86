import { defineConfig } from "vitest/config";
export default defineConfig({ test: { pool: "forks", maxWorkers: 1, include: ["test/{faults,e2e,security}/**/*.test.ts"], testTimeout: 90_000, hookTimeout: 90_000 } });
