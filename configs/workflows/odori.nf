// SPDX-License-Identifier: MIT
// A film in shards by Nextflow (DSL 2): a process for each shard, and one that joins them.
//
// usage: nextflow run odori.nf --job "$PWD/dance.yaml" --shards 8
//
// The machines of the executor must see the same files under the same paths.  Odori records completed frames beside the output,
// so that whatever ends a task, the next try resumes.
params.job = null
params.shards = 4
params.odori = 'odori'

process SHARD {
    cpus 4
    maxRetries 10
    // Temporary failures (69, 74, 75), and tasks that a signal ended.
    errorStrategy { task.exitStatus in [69, 74, 75] || task.exitStatus > 128 ? 'retry' : 'terminate' }

    input:
    val index

    output:
    val index

    script:
    """
    '${params.odori}' render '${file(params.job)}' --shard ${index}/${params.shards} -j ${task.cpus} --max-stalled-runs 3
    """
}

process JOIN {
    input:
    val shards

    script:
    """
    '${params.odori}' join '${file(params.job)}'
    """
}

workflow {
    channel.of(1..params.shards) | SHARD | collect | JOIN
}
