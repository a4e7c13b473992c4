package com.example;

import java.time.Duration;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.OverCapacityException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** No ID could be drawn: the client may ask again. */
@RestControllerAdvice
class NoIdsAdvice {
    @ExceptionHandler
    ResponseEntity<ProblemDetail> fenced(FencedException e) {
        return askAgain(e.getMessage(), e.retryAfter());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> overCapacity(OverCapacityException e) {
        return askAgain(e.getMessage(), e.retryAfter());
    }

    private static ResponseEntity<ProblemDetail> askAgain(String why, Duration after) {
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, Long.toString(after.toSeconds() + 1))
                .body(ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, why));
    }
}
