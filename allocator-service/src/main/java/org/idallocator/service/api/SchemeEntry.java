package org.idallocator.service.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.SchemeStatus;

/**
 * One scheme of the catalogue.
 *
 * @param name as in paths
 * @param bytes length of an ID
 * @param text the canonical text
 * @param forms the names of the other text forms
 * @param fields the layout
 * @param parameters what may be asked for beyond a count
 * @param largestCount of one request without a parameter
 * @param leased whether its generators hold a slot
 * @param slot the slot that serves
 * @param state {@code active} or {@code fenced}
 * @param reason why it is fenced
 * @param detail the same in words
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record SchemeEntry(
        String name,
        int bytes,
        CanonicalText text,
        List<String> forms,
        List<FieldEntry> fields,
        List<ParameterEntry> parameters,
        int largestCount,
        boolean leased,
        Optional<String> slot,
        String state,
        Optional<String> reason,
        Optional<String> detail) {

    public static <T extends Id> SchemeEntry of(Scheme<T> scheme, SchemeStatus status) {
        Optional<FencedException> fenced = status.fenced();
        return new SchemeEntry(
                scheme.name(),
                scheme.type().bytes(),
                new CanonicalText(scheme.type().textLength(), scheme.type().textPattern()),
                scheme.forms().stream().map(Form::name).toList(),
                scheme.fields().stream().map(FieldEntry::of).toList(),
                scheme.parameter().map(ParameterEntry::of).stream().toList(),
                scheme.largestCount(),
                scheme.pool().isPresent(),
                status.slot().map(HeldSlot::slot),
                status.active() ? "active" : "fenced",
                fenced.map(why -> why.reason().code()),
                fenced.map(FencedException::getMessage));
    }
}
